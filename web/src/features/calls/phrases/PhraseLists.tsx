import { useState } from 'react';
import { Anchor, Button, Menu, Skeleton } from '@mantine/core';
import { IconQuote } from '@tabler/icons-react';
import { phrases as contract } from '#contract';
import { confirm, EmptyState, Section, t, useApiMutation, useCompanyId } from '#ui';
import { RowMenu } from '../../../shared/RowMenu.tsx';
import { wantedSentence, type PhraseList } from './labels.ts';
import { PhraseListDialog } from './PhraseListDialog.tsx';
import css from './phrases.module.css';

/** Asks, and deletes a list. */
function useDelete() {
  const companyId = useCompanyId() ?? 0;
  const { mutate: remove } = useApiMutation(contract.deletePhraseList, {
    invalidates: [contract.listPhraseLists],
    success: t('Phrase list deleted'),
  });
  const ask = async (list: PhraseList): Promise<void> => {
    const isSure = await confirm({
      title: t('Delete “{name}”?', { name: list.name }),
      body: t('Calls no longer show where its phrases were said. Their transcripts stay.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (isSure) await remove({ params: { companyId, listId: list.id } });
  };
  return ask;
}

/** The company's phrase lists. Undefined: they are loaded. */
export function PhraseLists({ lists }: { lists: readonly PhraseList[] | undefined }) {
  const [open, setOpen] = useState<{ list: PhraseList | null } | null>(null);
  const ask = useDelete();
  const add = <Button onClick={() => setOpen({ list: null })}>{t('New phrase list')}</Button>;
  return (
    <Section
      title={t('Phrase lists')}
      about={t('Phrases to look for in transcripts, in those of the last 30 days and new ones.')}
      action={lists?.length ? add : undefined}
    >
      {!lists && <Skeleton height={80} />}
      {lists?.length === 0 && (
        <EmptyState
          icon={<IconQuote size={28} stroke={1.5} />}
          title={t('No phrase lists yet')}
          action={add}
        >
          {t('Find the calls in which someone books, cancels or names a competitor.')}
        </EmptyState>
      )}
      <ul className={css.rows}>
        {lists?.map((list) => (
          <li key={list.id} className={css.row}>
            <div className={css.what}>
              <div className={css.name}>{list.name}</div>
              <div>{list.phrases.join(' · ')}</div>
              <div className={css.quiet}>
                {wantedSentence(list)} · {list.alert && <>{t('Raises an alert')} · </>}
                <Anchor size="sm" href={`/analytics/transcripts?phrases=${list.id}&period=month`}>
                  {t('{n, plural, one {# call in 30 days} other {# calls in 30 days}}', {
                    n: list.calls,
                  })}
                </Anchor>
              </div>
            </div>
            <RowMenu name={list.name}>
              <Menu.Item onClick={() => setOpen({ list })}>{t('Edit')}</Menu.Item>
              <Menu.Item color="red" onClick={() => void ask(list)}>
                {t('Delete')}
              </Menu.Item>
            </RowMenu>
          </li>
        ))}
      </ul>
      {open && <PhraseListDialog list={open.list} onClose={() => setOpen(null)} />}
    </Section>
  );
}
