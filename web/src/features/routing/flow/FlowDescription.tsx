import { Button, Group } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { flows } from '#contract';
import { t } from '#ui';
import css from './FlowEditor.module.css';

/** The flow in sentences, to read or print, and how it differs from the published one. */
export function FlowDescription({
  flow,
  published,
  people,
  number,
}: {
  flow: flows.DescribedFlow;
  published: flows.DescribedFlow;
  people: Readonly<Record<string, string>>;
  number: string;
}) {
  const changes = flows.flowChanges(published, flow, people);
  return (
    <div className={css.words}>
      <Group justify="space-between" className={css.noPrint ?? ''}>
        <span className={css.quiet}>
          {changes.length === 0 ? t('Current live version.') : t('After publishing.')}
        </span>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPrinter size={16} aria-hidden />}
          onClick={() => window.print()}
        >
          {t('Print')}
        </Button>
      </Group>
      <h2 className={css.wordsTitle}>{t('How calls to {number} are routed', { number })}</h2>
      {flows.flowSentences(flow, people).map((sentence, i) => (
        <p key={i} data-lead={/^(Press|Callers)/.test(sentence) || undefined}>
          {sentence}
        </p>
      ))}
      {changes.length > 0 && (
        <section className={css.noPrint} aria-label={t('What publishing changes')}>
          <h3>{t('What publishing changes')}</h3>
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
