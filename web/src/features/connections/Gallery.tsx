import { t, useSession } from '#ui';
import { galleryTiles } from '../../shared/declared-screens.ts';
import css from './Gallery.module.css';

/** What can be delivered to, each leading to its page: every screen that declares a tile; nothing where none is found. */
export function Gallery({ search }: { search: string }) {
  const permissions = useSession((s) => s.user?.permissions ?? null);
  const shown = galleryTiles((permission) => permission in (permissions ?? {})).filter(
    ({ title, about }) => `${title} ${about}`.toLowerCase().includes(search),
  );
  if (shown.length === 0) return null;
  return (
    <ul className={css.tiles} aria-label={t('Places to deliver to')}>
      {shown.map(({ path, title, about }) => (
        <li key={path}>
          <a href={path} className={css.tile}>
            <strong>{title}</strong>
            <span>{about}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
