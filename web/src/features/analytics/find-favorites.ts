import { favorites } from '#contract';
import { api, t, type Command } from '#ui';
import { favoriteAddress } from './reports/favorite-address.ts';

/** Up to six favorites whose name holds what is typed in the command palette. */
export async function findFavorites(query: string, signal: AbortSignal): Promise<Command[]> {
  const { data } = await api(favorites.listFavoriteReports, {}, { silent: true, signal });
  const typed = query.trim().toLowerCase();
  return data
    .filter(({ name }) => name.toLowerCase().includes(typed))
    .flatMap(({ id, name, value }) => {
      const href = favoriteAddress(value);
      return href === null
        ? []
        : [{ id: `favorite.${id}`, group: t('Favorites'), title: name, href }];
    })
    .slice(0, 6);
}
