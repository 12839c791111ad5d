/**
 * Removes spaces between the start of a cell and its quote (`Bo , "2015557722"`), which CSV doesn't
 * know but database tools write. Takes a text in pieces.
 */
export class PaddedQuotes {
  readonly #delimiter: string;
  #isQuoted = false;
  #isAtStart = true;
  /** Spaces at the start of a cell, until it is known what follows. */
  #held = '';

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** The next piece without such spaces; `isLast`: no more text comes. */
  push(text: string, isLast: boolean): string {
    let out = '';
    for (const character of text) {
      if (!this.#isQuoted && this.#isAtStart && character === ' ') {
        this.#held += character;
        continue;
      }
      const opens = !this.#isQuoted && this.#isAtStart && character === '"';
      out += opens ? character : this.#held + character;
      this.#held = '';
      if (character === '"' && (opens || this.#isQuoted)) this.#isQuoted = !this.#isQuoted;
      this.#isAtStart = !this.#isQuoted && (character === this.#delimiter || character === '\n');
    }
    return isLast ? out + this.#held : out;
  }
}
/** Whether a text has quotes after spaces at the start of cells. */
export const hasPaddedQuotes = (text: string, delimiter: string): boolean =>
  new RegExp(`(?:^|\\n|${/\w/.test(delimiter) ? delimiter : `\\${delimiter}`}) +"`).test(text);
