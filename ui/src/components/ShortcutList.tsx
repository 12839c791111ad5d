import { Kbd } from '@mantine/core';
import { formatKeys, useShortcutList } from '../shortcuts.ts';
import { t } from '../i18n.ts';
import css from './ShortcutList.module.css';

/** Every shortcut of the screen, by group. */
export default function ShortcutList() {
  const list = useShortcutList();
  const groups = new Map<string, typeof list>([[t('Everywhere'), []]]);
  for (const s of list) {
    const group = s.group ?? t('This screen');
    if (!groups.get(group)?.some((other) => other.keys === s.keys))
      groups.set(group, [...(groups.get(group) ?? []), s]);
  }
  return (
    <div className={css.groups}>
      {[...groups].map(([group, items]) => (
        <div key={group} className={css.group}>
          <h3 className={css.title}>{group}</h3>
          <dl>
            {items.map((s) => (
              <div key={s.keys}>
                <dt>{s.label}</dt>
                <dd>
                  {formatKeys(s.keys).map((k, i) => (
                    <Kbd key={i} size="sm">
                      {k}
                    </Kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </div>
  );
}
