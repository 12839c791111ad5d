import { useLayoutEffect } from 'react';
import { Button } from '@mantine/core';
import { IconCloudOff, IconFileOff, IconInbox } from '@tabler/icons-react';
import type { ApiError } from '../api.ts';
import { errorToast } from '../api.ts';
import { toast } from '../toast.ts';
import { session } from '../session.ts';
import { t } from '../i18n.ts';
import css from './States.module.css';

interface EmptyStateProps {
  icon?: React.ReactNode;
  title: string;
  children?: React.ReactNode;
  action?: React.ReactNode;
}

/** An empty state: what appears here, and one action. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={css.state}>
      <span className={css.icon} aria-hidden>
        {icon ?? <IconInbox size={28} stroke={1.5} />}
      </span>
      <h2 className={css.title}>{title}</h2>
      {children && <div className={css.words}>{children}</div>}
      {action && <div className={css.action}>{action}</div>}
    </div>
  );
}

/**
 * Data couldn't be loaded: the server's message and a retry button. A record that isn't there (404)
 * is named by `notFound` and offers no retry: asking again wouldn't help.
 */
export function ErrorState({
  error,
  retry,
  title,
  notFound,
}: {
  error?: ApiError | null;
  retry?: () => void;
  title?: string;
  notFound?: string;
}) {
  const notice = error ? errorToast(error, session.get().supportEmail) : null;
  const sentence = notice?.title;
  useLayoutEffect(() => (sentence ? toast.suppressWhileInline(sentence) : undefined), [sentence]);
  if (error?.status === 404)
    return (
      <div className={css.state} role="alert">
        <span className={css.icon} aria-hidden>
          <IconFileOff size={28} stroke={1.5} />
        </span>
        <h2 className={css.title}>{notFound ?? t('Not found')}</h2>
        <div className={css.words}>
          {t('It may have been deleted, or you don’t have access to it.')}
        </div>
      </div>
    );
  const words = [notice?.title, notice?.detail, ...(notice?.lines ?? [])].filter(Boolean);
  return (
    <div className={css.state} role="alert">
      <span className={css.icon} aria-hidden>
        <IconCloudOff size={28} stroke={1.5} />
      </span>
      <h2 className={css.title}>{title ?? t('Couldn’t load this')}</h2>
      <div className={css.words}>
        {words.length ? (
          words.map((w) => <p key={w}>{w}</p>)
        ) : (
          <p>{t('Please try again later.')}</p>
        )}
        {error?.requestId && (
          <p className={css.small}>{t('Request {id}', { id: error.requestId })}</p>
        )}
      </div>
      {retry && (
        <div className={css.action}>
          <Button variant="default" onClick={retry}>
            {t('Try again')}
          </Button>
        </div>
      )}
    </div>
  );
}
