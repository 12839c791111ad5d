import { Button, Menu } from '@mantine/core';
import { IconCheck, IconChevronUp, IconClockHour4, IconSend } from '@tabler/icons-react';
import { formatKeys, t } from '#ui';
import { setSendKey, useSendKey } from './send-key.ts';
import type { ComposerState } from './use-composer.ts';
import css from './Composer.module.css';

/** Send, or add the note; next to it a menu to send later and to choose which key sends. */
export function SendButtons({
  composer,
  onSendLater,
}: {
  composer: ComposerState;
  onSendLater: () => void;
}) {
  const { isNote, isEmpty, problem, isSaving } = composer;
  const disabled = isEmpty || problem !== null;
  return (
    <Button.Group className={css.send}>
      <Button
        type="submit"
        color={isNote ? 'yellow.7' : 'accent'}
        disabled={disabled}
        loading={isSaving}
        leftSection={isNote ? null : <IconSend size={16} aria-hidden />}
      >
        {isNote ? t('Add note') : t('Send')}
      </Button>
      {!isNote && (
        <Menu position="top-end" closeOnItemClick>
          <Menu.Target>
            <Button
              px={7}
              variant={isEmpty ? 'default' : 'filled'}
              aria-label={t('More ways to send')}
            >
              <IconChevronUp size={16} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconClockHour4 size={16} aria-hidden />}
              disabled={disabled}
              onClick={onSendLater}
            >
              {t('Send later')}
            </Menu.Item>
            <Menu.Divider />
            <SendKeyChoice />
          </Menu.Dropdown>
        </Menu>
      )}
    </Button.Group>
  );
}

function SendKeyChoice() {
  const sendKey = useSendKey();
  const selected = <IconCheck size={16} aria-label={t('Selected')} />;
  return (
    <>
      <Menu.Label>{t('Send with')}</Menu.Label>
      <Menu.Item
        rightSection={sendKey === 'enter' ? selected : null}
        onClick={() => setSendKey('enter')}
      >
        {t('Enter')}
      </Menu.Item>
      <Menu.Item
        rightSection={sendKey === 'mod' ? selected : null}
        onClick={() => setSendKey('mod')}
      >
        {formatKeys('mod+Enter').join(' ')}
      </Menu.Item>
    </>
  );
}
