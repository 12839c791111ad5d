import { Hidden, PersonAvatar, t, useUser } from '#ui';
import css from './CompanySwitcher.module.css';
import { lateMenu } from './late-menu.tsx';

const Menu = lateMenu(async () => (await import('./PersonChoices.tsx')).PersonChoices, css.button);

/** The signed-in person, at the foot of the rail. */
export function PersonMenu() {
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
