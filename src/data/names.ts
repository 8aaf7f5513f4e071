/** "folder/karate.mtx.gz" is called karate: the last part of a path without its endings. */
export function baseName(path: string): string {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const stem = file.replace(/\.gz$/i, "").replace(/(?<=.)\.[A-Za-z]\w*$/, "");
  return stem === "" ? file : stem;
}
