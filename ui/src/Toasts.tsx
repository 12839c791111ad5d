import {
  IconAlertTriangle,
  IconCircleCheck,
  IconExclamationCircle,
  IconInfoCircle,
  IconX,
} from '@tabler/icons-react';
import { ActionIcon, Button, Loader } from '@mantine/core';
import { toast, type ToastType, type ShownToast } from './toast.ts';
import { useStore } from './store.ts';
import { t } from './i18n.ts';
import css from './Toasts.module.css';

const icons: Record<ToastType, React.ReactNode> = {
  neutral: <IconInfoCircle size={18} aria-hidden />,
  success: <IconCircleCheck size={18} aria-hidden />,
  warn: <IconAlertTriangle size={18} aria-hidden />,
  danger: <IconExclamationCircle size={18} aria-hidden />,
  loading: <Loader size={16} color="gray" aria-hidden />,
};

/** Shows toasts: centered, announced to screen readers, paused while hovered or focused. */
export function Toasts() {
  const notice = useStore(toast.store, (s) => s.notice);
  const urgent = notice?.type === 'danger' || notice?.type === 'warn';
  // Both live regions are rendered from the start: one added together with its text is often not
  // announced.
  return (
    <div className={css.place} data-flash>
      <div role="status" aria-live="polite">
        {notice && !urgent && <ToastMessage notice={notice} />}
      </div>
      <div role="alert" aria-live="assertive">
        {notice && urgent && <ToastMessage notice={notice} />}
      </div>
    </div>
  );
}

function ToastMessage({ notice }: { notice: ShownToast }) {
  return (
    <div
      className={css.message}
      data-type={notice.type}
      key={notice.id}
      onMouseEnter={toast.pause}
      onMouseLeave={toast.resume}
      onFocus={toast.pause}
      onBlur={toast.resume}
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
            toast.hide(notice.id);
          }}
        >
          {notice.action.label}
        </Button>
      )}
      <ActionIcon size={24} aria-label={t('Dismiss')} onClick={() => toast.hide(notice.id)}>
        <IconX size={16} />
      </ActionIcon>
    </div>
  );
}
