import { t } from '../i18n.ts';

/** Turns URLs in a text into links. */
export function linkify(text: string): React.ReactNode {
  return text.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/g).map((part, i) =>
    i % 2 ? (
      <a
        key={i}
        href={part}
        target="_blank"
        rel="noreferrer noopener"
        aria-label={t('{address}, opens in a new tab', { address: part })}
      >
        {part}
      </a>
    ) : (
      part
    ),
  );
}
