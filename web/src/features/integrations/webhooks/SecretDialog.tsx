import { Modal, t } from '#ui';
import { SigningSecret } from '../../../shared/SigningSecret.tsx';

/** A signing secret that was just made, shown this once. */
export const SecretDialog = ({ secret, close }: { secret: string; close: () => void }) => (
  <Modal
    opened
    onClose={close}
    closeOnClickOutside={false}
    title={t('Copy the signing secret now')}
    closeButtonProps={{ 'aria-label': t('Close') }}
  >
    <SigningSecret secret={secret} onClose={close}>
      {t('You won’t see it again. Your receiver uses it to verify that events come from here.')}
    </SigningSecret>
  </Modal>
);
