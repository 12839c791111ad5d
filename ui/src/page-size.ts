import { useState } from 'react';

/** Rows per page that a list offers (A29). */
export const pageSizes: readonly number[] = [10, 25, 50, 100, 250];

const storageKey = (list: string): string => `trunkline.rows.${list}`;
/** The stored size for a list on this device; null if there is none, or storage is blocked. */
function storedPageSize(list: string): number | null {
  try {
    const size = Number(localStorage.getItem(storageKey(list)));
    return pageSizes.includes(size) ? size : null;
  } catch {
    return null;
  }
}

/**
 * Rows per page of a list, stored on this device. `fallback` applies until a size is chosen.
 * `onChange` runs after a choice, as the current page then has other rows.
 */
export function usePageSize(
  list: string,
  fallback: number,
  onChange: () => void,
): { perPage: number; onPerPage: (size: number) => void } {
  const [perPage, setPerPage] = useState(() => storedPageSize(list) ?? fallback);
  const onPerPage = (size: number): void => {
    setPerPage(size);
    onChange();
    try {
      localStorage.setItem(storageKey(list), String(size));
    } catch {
      // Storage is blocked: the choice lasts as long as the screen.
    }
  };
  return { perPage, onPerPage };
}
