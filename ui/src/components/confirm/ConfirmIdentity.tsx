import { useEffect, useRef, useState } from 'react';
import { onConfirmIdentity } from '../../api.ts';
import { lazyComponent } from '../Lazy.tsx';

const Dialog = lazyComponent(
  async () => (await import('./ConfirmIdentityDialog.tsx')).ConfirmIdentityDialog,
);

/**
 * Asks people who they are when an answer is `confirmation.required`; the request layer then repeats
 * the call. Once per app.
 */
export function ConfirmIdentityHost() {
  const [isOpen, setOpen] = useState(false);
  const waiting = useRef<((confirmed: boolean) => void)[]>([]);
  useEffect(
    () =>
      onConfirmIdentity(() => {
        setOpen(true);
        // Several requests at once share one dialog.
        return new Promise((resolve) => waiting.current.push(resolve));
      }),
    [],
  );
  const finish = (confirmed: boolean): void => {
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(confirmed);
  };
  return isOpen ? <Dialog finish={finish} /> : null;
}
