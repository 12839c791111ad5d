import { lazy, Suspense, useState } from 'react';
import { useShortcuts } from '../shortcuts.ts';
import { t } from '../i18n.ts';
import { Modal } from './Lazy.tsx';

const ShortcutList = lazy(() => import('./ShortcutList.tsx'));

/** Lists the screen's shortcuts; opened by "?". */
export function KeyboardHelp() {
  const [open, setOpen] = useState(false);
  useShortcuts([
    {
      keys: '?',
      label: t('Show keyboard shortcuts'),
      group: t('Everywhere'),
      run: () => setOpen(true),
    },
  ]);
  return (
    <Modal
      opened={open}
      onClose={() => setOpen(false)}
      title={t('Keyboard shortcuts')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Suspense>
        <ShortcutList />
      </Suspense>
    </Modal>
  );
}
