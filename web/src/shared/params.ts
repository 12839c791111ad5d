import { useParams } from '@tanstack/react-router';

/**
 * A parameter of the URL: `useParam('id')` on `/calls/$id`. Empty when an optional one is absent.
 */
export const useParam = (name: string): string =>
  (useParams({ strict: false }) as Record<string, string | undefined>)[name] ?? '';
/** The same as a number; null when absent or not a positive integer. */
export function useIdParam(name = 'id'): number | null {
  const n = Number(useParam(name));
  return Number.isSafeInteger(n) && n > 0 ? n : null;
}
