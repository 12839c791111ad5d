/**
 * What a check of the installation found, as a sentence; `fix`: it is a problem, and what to do about
 * it. The same checks are read by `npm run doctor` and on the page "Setup" of platform administration.
 */
export interface Finding {
  found: string;
  fix?: string;
}

/** This is right. */
export const ok = (found: string): Finding => ({ found });
/** This is wrong, and what to do about it. */
export const problem = (found: string, fix: string): Finding => ({ found, fix });

/** What a server for others needs, and a look around doesn't. */
export const needed = (production: boolean, found: string, fix: string): Finding =>
  production ? problem(found, fix) : ok(found);

/** The words of whatever was thrown. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.?\s*$/, '');
