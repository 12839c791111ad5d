import { z } from 'zod';

/** Letters, digits and `'+-._` at an ASCII domain, whose ending may be another alphabet's (`xn--…`). */
export const emailPattern =
  /^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]*[A-Za-z0-9])$/;

/**
 * An address as it is stored: without spaces around it and invisible characters, its domain in the
 * ASCII form (`user@xn--bcher-kva.example`), so that one address is one text however it was typed.
 */
export function tidyEmail(typed: string): string {
  const text = typed.replace(/\p{Cf}/gu, '').trim();
  if (/^\p{ASCII}*$/u.test(text)) return text;
  const [local, domain, ...rest] = text.normalize('NFKC').split('@');
  if (!local || !domain || rest.length || /[\s/?#:\\%[\]]/.test(domain)) return text;
  try {
    return `${local}@${new URL(`http://${domain}`).hostname}`;
  } catch {
    return text;
  }
}

/** An email address: the type of every field that takes one. */
export const emailAddress = z
  .string()
  .overwrite(tidyEmail)
  .pipe(z.email({ pattern: emailPattern, error: 'Enter an email address.' }).max(254));
