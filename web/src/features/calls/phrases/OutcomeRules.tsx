import { useState } from 'react';
import { Button, Menu, Skeleton, Switch } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { outcomeRules as contract } from '#contract';
import {
  confirm,
  EmptyState,
  ErrorState,
  Section,
  t,
  useApiMutation,
  useApiQuery,
  useCompanyId,
} from '#ui';
import { RowMenu } from '../../../shared/RowMenu.tsx';
import { setSentence, whenSentence, type OutcomeRule, type PhraseList } from './labels.ts';
import { RuleDialog } from './RuleDialog.tsx';
import css from './phrases.module.css';

/** The rules that set outcome, department and qualification, in the order they run. */
export function OutcomeRules({ lists }: { lists: readonly PhraseList[] }) {
  const companyId = useCompanyId() ?? 0;
  const [open, setOpen] = useState<{ rule: OutcomeRule | null } | null>(null);
  const { response, error, refetch } = useApiQuery(
    contract.listOutcomeRules,
    { params: { companyId } },
    { enabled: companyId !== 0 },
  );
  const rules = response?.data;
  const add = <Button onClick={() => setOpen({ rule: null })}>{t('New rule')}</Button>;
  return (
    <Section
      title={t('Rules')}
      about={t(
        'Set outcome, department and qualification of calls. They run in this order when a call ends and when its transcript is ready.',
      )}
      action={rules?.length ? add : undefined}
    >
      {error && !rules && <ErrorState error={error} retry={refetch} />}
      {!rules && !error && <Skeleton height={80} />}
      {rules?.length === 0 && (
        <EmptyState
          icon={<IconListCheck size={28} stroke={1.5} />}
          title={t('No rules yet')}
          action={add}
        >
          {t('Mark a call as booked when the client says so and talks for a minute.')}
        </EmptyState>
      )}
      <ul className={css.rows}>
        {rules?.map((rule) => (
          <Rule key={rule.id} rule={rule} onEdit={() => setOpen({ rule })} />
        ))}
      </ul>
      {open && <RuleDialog rule={open.rule} lists={lists} onClose={() => setOpen(null)} />}
    </Section>
  );
}

function Rule({ rule, onEdit }: { rule: OutcomeRule; onEdit: () => void }) {
  const companyId = useCompanyId() ?? 0;
  const invalidates = [contract.listOutcomeRules];
  const { mutate: update, isPending } = useApiMutation(contract.updateOutcomeRule, { invalidates });
  const { mutate: remove } = useApiMutation(contract.deleteOutcomeRule, {
    invalidates,
    success: t('Rule deleted'),
  });
  const params = { companyId, ruleId: rule.id };
  const { name, phrase_list_id, min_talk_seconds, direction, sets } = rule;
  const ask = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Delete “{name}”?', { name }),
      body: t('Calls it changed stay as they are.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (isSure) await remove({ params });
  };
  return (
    <li className={css.row}>
      <div className={css.what}>
        <div className={css.name}>{name}</div>
        <div>
          {whenSentence(rule)}, {setSentence(rule)}
        </div>
        <div className={css.quiet}>
          {t(
            '{n, plural, =0 {No call changed so far} one {# call changed} other {# calls changed}}',
            {
              n: rule.set_count,
            },
          )}
        </div>
      </div>
      <Switch
        aria-label={t('Run “{name}”', { name })}
        checked={rule.is_on}
        disabled={isPending}
        onChange={(e) =>
          void update({
            params,
            body: {
              ...{ name, phrase_list_id, min_talk_seconds, direction, sets },
              is_on: e.currentTarget.checked,
            },
          })
        }
      />
      <RowMenu name={name}>
        <Menu.Item onClick={onEdit}>{t('Edit')}</Menu.Item>
        <Menu.Item color="red" onClick={() => void ask()}>
          {t('Delete')}
        </Menu.Item>
      </RowMenu>
    </li>
  );
}
