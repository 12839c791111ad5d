import { Kbd } from '@mantine/core';
import { Modal } from './Lazy.tsx';
import { useState } from 'react';
import { formatKeys, useShortcutList, useShortcuts } from '../shortcuts.ts';
import { t } from '../i18n.ts';
import css from './KeyboardHelp.module.css';

/** Lists the screen's shortcuts; opened by "?". */
export function KeyboardHelp() {
  const [open, setOpen] = useState(false);
  const list = useShortcutList();
  useShortcuts([
    {
      keys: '?',
      label: t('Show keyboard shortcuts'),
      group: t('Everywhere'),
      run: () => setOpen(true),
    },
  ]);
  const groups = new Map<string, typeof list>([[t('Everywhere'), []]]);
  for (const s of list) {
    const group = s.group ?? t('This screen');
    if (!groups.get(group)?.some((other) => other.keys === s.keys))
      groups.set(group, [...(groups.get(group) ?? []), s]);
  }
  return (
    <Modal
      opened={open}
      onClose={() => setOpen(false)}
      title={t('Keyboard shortcuts')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
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
    </Modal>
  );
}
