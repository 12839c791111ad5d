import css from './Replies.module.css';
import { Time } from './Time.tsx';

interface ReplyItem {
  id: number;
  who: string;
  /** Written by the side that is looking. */
  isOurs: boolean;
  message: string;
  at: string;
}

/** What was said, oldest first. */
export const Replies = ({ label, items }: { label: string; items: readonly ReplyItem[] }) => (
  <ol className={css.replies} aria-label={label}>
    {items.map(({ id, who, isOurs, message, at }) => (
      <li key={id} data-ours={isOurs || undefined}>
        <div className={css.head}>
          <span>{who}</span>
          <Time at={at} as="instant" />
        </div>
        <p className={css.text}>{message}</p>
      </li>
    ))}
  </ol>
);
