/** Light or dark as the reader's system is, and the colours of theme.css for what is drawn on a canvas. */
const query = matchMedia("(prefers-color-scheme: dark)");

class Theme {
  dark = $state(query.matches);

  constructor() {
    query.addEventListener("change", () => {
      this.dark = query.matches;
    });
  }

  /** A variable of theme.css, "--ink"; depends on `dark`. */
  colour(name: string): string {
    // read so that whoever asks is asked again when it changes
    void this.dark;
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }
}

export const theme = new Theme();
