import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { formatRelativeDay, formatTime, t } from '#ui';
import type { HandsetPhone } from './phones.ts';
import { fetchFaxes, sendFax, type CarriedFax } from './sandbox.ts';
import css from './HandsetFaxes.module.css';

const pollMs = 1500;

/** Polls all faxes of an outside phone while the page is visible. */
function useFaxes(phone: string) {
  const [faxes, setFaxes] = useState<CarriedFax[]>([]);
  const after = useRef(0);
  const fetchNew = useCallback(async () => {
    const added = await fetchFaxes(phone, after.current).catch(() => []);
    if (added.length === 0) return;
    after.current = Math.max(after.current, ...added.map((f) => f.id));
    setFaxes((before) => {
      const known = new Set(before.map((f) => f.id));
      return [...before, ...added.filter((f) => !known.has(f.id))];
    });
  }, [phone]);
  useEffect(() => {
    after.current = 0;
    setFaxes([]);
    void fetchNew();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void fetchNew();
    }, pollMs);
    return () => clearInterval(timer);
  }, [fetchNew]);
  return { faxes, fetchNew };
}

/** This phone as a fax machine: sent and received faxes, and a form to send one. */
export function HandsetFaxes({ phone }: { phone: HandsetPhone }) {
  const { faxes, fetchNew } = useFaxes(phone.number);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (file: File | undefined): Promise<void> => {
    if (!file || !phone.with) return;
    setSending(true);
    setProblem(null);
    await sendFax(phone.number, phone.with, file).then(
      () => fetchNew(),
      (error: Error) => setProblem(error.message),
    );
    setSending(false);
  };
  const shown = faxes.filter((f) => f.from === phone.with || f.to === phone.with);
  return (
    <div className={css.machine}>
      <ul className={css.list} aria-label={t('Faxes of {name}', { name: phone.name })}>
        {shown.length === 0 && (
          <li className={css.none}>
            {phone.with
              ? t('No faxes yet. Send a PDF, or fax this phone from the inbox.')
              : t('Choose a company number above.')}
          </li>
        )}
        {shown.toReversed().map((f) => (
          <FaxLine key={f.id} fax={f} />
        ))}
      </ul>
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
      <Button
        component="label"
        variant="default"
        fullWidth
        loading={sending}
        disabled={!phone.with}
      >
        {t('Fax a document')}
        <input
          className={css.file}
          type="file"
          accept="application/pdf,image/*,.tif,.tiff"
          aria-label={t('Document to fax')}
          disabled={!phone.with}
          onChange={(e) => {
            void send(e.currentTarget.files?.[0]);
            e.currentTarget.value = '';
          }}
        />
      </Button>
    </div>
  );
}

function FaxLine({ fax: f }: { fax: CarriedFax }) {
  return (
    <li className={css.fax}>
      <IconFileText size={18} aria-hidden />
      <span className={css.words}>
        <a href={f.url} target="_blank" rel="noreferrer">
          {f.direction === 'received' ? t('Fax received') : t('Fax sent')}
        </a>
        <small>
          {[
            f.pages > 0 && t('{pages, plural, one {# page} other {# pages}}', { pages: f.pages }),
            formatRelativeDay(f.receivedAt),
            formatTime(f.receivedAt),
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </span>
    </li>
  );
}
