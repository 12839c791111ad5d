import { Hidden, PersonAvatar, t, useUser } from '#ui';
import css from './CompanySwitcher.module.css';
import { lazyMenu } from './lazy-menu.tsx';

const Menu = lazyMenu(async () => (await import('./UserMenuItems.tsx')).UserMenuItems, css.button);

/** The signed-in person, at the bottom of the rail. */
export function UserMenu() {
  const user = useUser();
  if (!user) return null;
  return (
    <Menu>
      <PersonAvatar name={user.name} size={28} />
      <span className={css.name}>{user.name}</span>
      <Hidden>{t('your menu')}</Hidden>
    </Menu>
  );
}
