/** How long work tells how far it is, and how it is stopped. Both are handed in; nothing here is global. */
export interface ProgressUpdate {
  /** What is being done, as a short phrase: "reading COLLAB.zip". */
  task: string;
  /** What is known so far, for people: "accuracy so far 91.2 %". */
  detail?: string;
  done: number;
  /** 0 when not known. */
  total: number;
  /** What is counted: "B", "graphs", "folds". */
  unit: string;
}

export type OnProgress = (update: ProgressUpdate) => void;

export interface RunControl {
  onProgress?: OnProgress;
  signal?: AbortSignal;
}
