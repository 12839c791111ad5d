import { useState } from 'react';
import { Alert, Button, MultiSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { tracking } from '#contract';
import {
  formatNumber,
  PhoneNumber,
  Section,
  StatusBadge,
  t,
  useApiMutation,
  useCompanyId,
  usePermission,
} from '#ui';
import { slotName, slotTone } from './labels.ts';
import { followPurchase } from './NewPool.tsx';
import { UseBar } from './UseBar.tsx';
import { useFreeNumbers } from './use-options.ts';
import css from './pools.module.css';

/** The numbers of a pool: what each is doing, taking one out, adding and buying more. */
export function PoolNumbers({ pool }: { pool: tracking.Pool }) {
  const mayEdit = usePermission('dni.edit');
  const { change, isPending } = useMembers(pool);
  const { recommendedSize } = pool.stats;
  const isSmall = pool.mode === 'visitor' && pool.size > 0 && pool.size < recommendedSize;
  return (
    <Section title={t('Numbers')} action={<UseBar pool={pool} />}>
      <Stack gap="sm">
        {pool.size === 0 && (
          <Alert color="orange">{t('Without numbers, visitors see the page as it is.')}</Alert>
        )}
        {isSmall && (
          <Alert color="gray">
            {t('{n} numbers are recommended, from the most visitors at once in the last 7 days.', {
              n: formatNumber(recommendedSize),
            })}
          </Alert>
        )}
        <ul className={css.numbers} aria-label={t('Numbers of this pool')}>
          {pool.numbers.map((number) => (
            <li key={number.id}>
              <span className={css.number}>
                <PhoneNumber value={number.number} />
                <span className={css.quiet}>{number.label}</span>
              </span>
              <StatusBadge tone={slotTone(number.status)}>{slotName(number.status)}</StatusBadge>
              {mayEdit && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  disabled={isPending}
                  aria-label={t('Take out {number}', { number: number.number })}
                  onClick={() => void change({ removeNumberIds: [number.id] })}
                >
                  {t('Take out')}
                </Button>
              )}
            </li>
          ))}
        </ul>
        {mayEdit && <AddNumbers pool={pool} change={change} isPending={isPending} />}
      </Stack>
    </Section>
  );
}

type MemberChange = {
  addNumberIds?: number[];
  removeNumberIds?: number[];
  size?: number;
  areaCode?: string;
};

function useMembers(pool: tracking.Pool) {
  const companyId = useCompanyId() ?? 0;
  const { mutate, isPending } = useApiMutation(tracking.updatePool, {
    invalidates: [tracking.getPool, tracking.listPools],
  });
  const change = async (body: MemberChange): Promise<boolean> => {
    const response = await mutate({ params: { companyId, poolId: pool.id }, body });
    if (response) followPurchase(response.data.purchase);
    return response !== null;
  };
  return { change, isPending };
}

function AddNumbers({
  pool,
  change,
  isPending,
}: {
  pool: tracking.Pool;
  change: (body: MemberChange) => Promise<boolean>;
  isPending: boolean;
}) {
  const freeNumbers = useFreeNumbers();
  const [chosen, setChosen] = useState<string[]>([]);
  const [count, setCount] = useState<number | string>(4);
  const [areaCode, setAreaCode] = useState(pool.areaCode ?? '');
  const add = async (): Promise<void> => {
    if (await change({ addNumberIds: chosen.map(Number) })) setChosen([]);
  };
  const buy = (): void =>
    void change({ size: pool.size + Number(count), ...(areaCode && { areaCode }) });
  return (
    <>
      <div className={css.line}>
        <MultiSelect
          label={t('Add numbers you have')}
          searchable
          nothingFoundMessage={t('No results')}
          data={freeNumbers}
          value={chosen}
          onChange={setChosen}
        />
        <Button
          variant="default"
          disabled={chosen.length === 0}
          loading={isPending}
          onClick={() => void add()}
        >
          {t('Add')}
        </Button>
      </div>
      <div className={css.line}>
        <NumberInput
          label={t('Buy more')}
          min={1}
          max={tracking.poolLimits.numbers - pool.size}
          value={count}
          onChange={setCount}
        />
        <TextInput
          label={t('Area code')}
          w={110}
          maxLength={3}
          placeholder="212"
          value={areaCode}
          onChange={(e) => setAreaCode(e.currentTarget.value)}
        />
        <Button variant="default" disabled={!Number(count)} loading={isPending} onClick={buy}>
          {t('Buy')}
        </Button>
      </div>
    </>
  );
}
