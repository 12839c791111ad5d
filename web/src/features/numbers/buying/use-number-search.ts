import { useState } from 'react';
import { numbers } from '#contract';
import { api, useApiQuery } from '#ui';
import { searchFieldOf, toNumberSearch, type SearchFields } from './search.ts';

/**
 * Results of a search for numbers (undefined before it is requested), errors by search field, and
 * the action that loads more. Not used for bulk numbers.
 */
export function useNumberSearch(fields: SearchFields) {
  const many = fields.kind === 'bulk';
  const wanted = toNumberSearch(fields);
  const search = useApiQuery(
    numbers.locateNumbers,
    { body: wanted },
    { enabled: fields.go && !many, staleTime: numbers.searchCacheSeconds * 1000, silent: true },
  );
  const rows = fields.go ? search.response?.data : undefined;
  const [others, setOthers] = useState<{ of: string; rows: numbers.Located[]; ended: boolean }>({
    of: '',
    rows: [],
    ended: false,
  });
  const [loadingOthers, setLoadingOthers] = useState(false);
  const asked = JSON.stringify(wanted);
  const shown = rows && [...rows, ...(others.of === asked ? others.rows : [])];
  const errors =
    search.error?.status === 422
      ? Object.fromEntries(
          Object.entries(search.error.fields).map(([name, text]) => [searchFieldOf(name), text]),
        )
      : {};

  const showOthers = async (): Promise<void> => {
    setLoadingOthers(true);
    const before = others.of === asked ? others.rows : [];
    const response = await api(numbers.locateNumbers, {
      body: { ...wanted, exclude: (shown ?? []).map((n) => n.number) },
    }).catch(() => null);
    setLoadingOthers(false);
    if (response)
      setOthers({
        of: asked,
        rows: [...before, ...response.data],
        ended: response.data.length === 0,
      });
  };
  const mayShowOthers =
    rows !== undefined && rows.length === wanted.limit && !(others.of === asked && others.ended);
  return {
    search,
    shown,
    errors,
    mayShowOthers,
    showOthers,
    loadingOthers,
    forgetOthers: () => setOthers({ of: '', rows: [], ended: false }),
  };
}
