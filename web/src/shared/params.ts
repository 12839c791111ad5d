import { useParams } from '@tanstack/react-router';

/**
 * A parameter of the URL: `useParam('id')` on `/calls/$id`. Empty when an optional one is absent.
 */
export const useParam = (name: string): string =>
  (useParams({ strict: false }) as Record<string, string | undefined>)[name] ?? '';

/** Whether a part of the URL can be the ID of a record: a positive integer. */
export const isId = (text: string): boolean =>
  Number.isSafeInteger(Number(text)) && Number(text) > 0;

/**
 * The same as a number; null when an optional one is absent. The router shows "Page not found" for
 * an ID that can't be one.
 */
export function useIdParam(name = 'id'): number | null {
  const text = useParam(name);
  return isId(text) ? Number(text) : null;
}
