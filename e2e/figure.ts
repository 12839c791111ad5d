/** What `npm run test:faults` gives each of its runs. */
export interface Options {
  size: 'quick' | 'full';
  /** For whatever is drawn at random; printed, and given again by `--seed`. */
  seed: number;
}

/** One line of the table at its end. */
export interface Figure {
  id: string;
  figure: string;
  target: string;
  pass: boolean | 'skipped';
}

export const figure = (id: string, seen: string, target: string, pass: Figure['pass']): Figure => ({
  id,
  figure: seen,
  target,
  pass,
});
