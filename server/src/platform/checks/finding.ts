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

/** A certificate is renewed weeks before it ends; later than this nothing renews it. */
const certificateDays = 10;

/** How long a certificate is still valid. `what`: as a sentence begins. */
export function certificateFinding(what: string, ends: Date, now: Date): Finding {
  const days = Math.floor((ends.getTime() - now.getTime()) / 86_400_000);
  const found = `${what} is valid for ${days} more ${days === 1 ? 'day' : 'days'}.`;
  return days >= certificateDays
    ? ok(found)
    : problem(found, 'Renew it now, and find out why nothing did (docs/runbooks.md).');
}
