import {
  IconAlertTriangle,
  IconCircleCheck,
  IconExclamationCircle,
  IconInfoCircle,
  IconX,
} from '@tabler/icons-react';
import { ActionIcon, Button, Loader } from '@mantine/core';
import { flash, type FlashType, type ShownNotice } from './flash-store.ts';
import { useStore } from './store.ts';
import { t } from './words.ts';
import css from './flash.module.css';

export { flash, type Notice } from './flash-store.ts';

const icons: Record<FlashType, React.ReactNode> = {
  neutral: <IconInfoCircle size={18} aria-hidden />,
  success: <IconCircleCheck size={18} aria-hidden />,
  warn: <IconAlertTriangle size={18} aria-hidden />,
  danger: <IconExclamationCircle size={18} aria-hidden />,
  loading: <Loader size={16} color="gray" aria-hidden />,
};

/** Where flash messages appear: centred, announced, standing still under the pointer or the focus. */
export function FlashOutlet() {
  const notice = useStore(flash.store, (s) => s.notice);
  const urgent = notice?.type === 'danger' || notice?.type === 'warn';
  // Both live regions stand in the page from the start: a region that arrives with its text is often not announced.
  return (
    <div className={css.place} data-flash>
      <div role="status" aria-live="polite">
        {notice && !urgent && <Message notice={notice} />}
      </div>
      <div role="alert" aria-live="assertive">
        {notice && urgent && <Message notice={notice} />}
      </div>
    </div>
  );
}

function Message({ notice }: { notice: ShownNotice }) {
  return (
    <div
      className={css.message}
      data-type={notice.type}
      key={notice.id}
      onMouseEnter={flash.pause}
      onMouseLeave={flash.resume}
      onFocus={flash.pause}
      onBlur={flash.resume}
    >
      <span className={css.icon}>{icons[notice.type]}</span>
      <div className={css.words}>
        {notice.title && <div className={css.title}>{notice.title}</div>}
        {notice.detail && <div className={css.detail}>{notice.detail}</div>}
        {notice.lines?.map((line, i) => (
          <div key={i} className={css.line}>
            {line}
          </div>
        ))}
      </div>
      {notice.action && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notice.action?.run();
            flash.hide(notice.id);
          }}
        >
          {notice.action.label}
        </Button>
      )}
      <ActionIcon size={24} aria-label={t('Close message')} onClick={() => flash.hide(notice.id)}>
        <IconX size={16} />
      </ActionIcon>
    </div>
  );
}
