import { t, useSession } from '#ui';
import { activityLists, type ActivityListName } from './activity-kinds.ts';
import css from './ActivityTabs.module.css';

/** The activity lists that the user's role can open. */
export function ActivityTabs({ current }: { current: ActivityListName }) {
  const permissions = useSession((s) => s.user?.permissions);
  const visible = Object.entries(activityLists).filter(
    ([, { permission }]) => permission in (permissions ?? {}),
  );
  return (
    <nav className={css.tabs} aria-label={t('Activity types')}>
      {visible.map(([name, { icon: Icon, label }]) => (
        <a
          key={name}
          className={css.tab}
          href={`/activity/${name}`}
          aria-current={name === current ? 'page' : undefined}
        >
          <Icon size={16} stroke={1.75} aria-hidden />
          {t(label)}
        </a>
      ))}
    </nav>
  );
}
