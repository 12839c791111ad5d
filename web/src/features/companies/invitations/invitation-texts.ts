import { roleList } from '#contract';
import { t } from '#ui';

/** A role's name. */
export const roleLabel = (role: string): string =>
  t(roleList.find((r) => r.id === role)?.label ?? role);

/** What each role may do, for who chooses one. */
export const roleAbout = (role: string): string =>
  t(roleList.find((r) => r.id === role)?.description ?? '');

/** The addresses of a text: separated by commas, semicolons, spaces or lines; each once. */
export const addressesIn = (text: string): string[] => {
  const seen = new Map<string, string>();
  for (const address of text.split(/[\s,;]+/))
    if (address && !seen.has(address.toLowerCase())) seen.set(address.toLowerCase(), address);
  return [...seen.values()];
};

/** Whether it looks like an email address; the server decides. */
export const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
