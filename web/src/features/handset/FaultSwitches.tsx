import { useEffect, useState } from 'react';
import { Button, Popover, Select, Switch } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { toast, t } from '#ui';
import { noFaults, saveFaults, fetchFaults, type Faults } from './sandbox.ts';
import css from './FaultSwitches.module.css';

const rates = [
  ['0', 'Never'],
  ['0.1', '1 in 10'],
  ['0.3', '3 in 10'],
  ['1', 'Always'],
] as const;
const delays = [
  ['0', 'Immediately'],
  ['2000', '2 seconds late'],
  ['10000', '10 seconds late'],
  ['60000', '1 minute late'],
] as const;
type RatedFault = Exclude<keyof Faults, 'outage'>;
const rows: [RatedFault, string, string][] = [
  ['lateReceiptsMs', 'Receipts', 'How late the carrier reports the outcome of a text or call.'],
  ['duplicateRate', 'Duplicates', 'Reports that arrive a second time.'],
  ['reorderRate', 'Out of order', 'Reports that arrive in the wrong order.'],
  ['errorRate', 'Errors', 'Requests the carrier rejects with an error.'],
  ['dropAfterEffectRate', 'Silent success', 'Requests that succeed, but the response is lost.'],
];

/** The faults in force; a change is taken back when the server rejects it. */
function useFaults() {
  const [now, setNow] = useState<Faults | null>(null);
  useEffect(() => {
    void fetchFaults().then(setNow, () => {});
  }, []);
  const set = (change: Partial<Faults>): void => {
    const before = now ?? noFaults;
    const next = { ...before, ...change };
    setNow(next);
    void saveFaults(next).then(setNow, (error: Error) => {
      setNow(before);
      toast.danger(error.message);
    });
  };
  return { now, set };
}

/** Injects carrier faults on demand; nothing may be lost or duplicated because of them. */
export function FaultSwitches() {
  const { now, set } = useFaults();
  const count = now ? rows.filter(([key]) => now[key] > 0).length + (now.outage ? 1 : 0) : 0;
  return (
    <Popover position="bottom-end" width={340} trapFocus>
      <Popover.Target>
        <Button
          variant={count ? 'light' : 'default'}
          color={count ? 'yellow' : 'gray'}
          leftSection={<IconBolt size={16} aria-hidden />}
        >
          {count ? t('Carrier trouble: {n} on', { n: count }) : t('Carrier trouble')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Carrier trouble')}>
        <p className={css.about}>
          {t('For everyone on this server. Try it, then check that nothing is lost or sent twice.')}
        </p>
        <Switch
          className={css.outage}
          label={t('Carrier down')}
          description={t('Requests are refused and nothing is reported until it’s back.')}
          checked={now?.outage ?? false}
          onChange={(e) => set({ outage: e.currentTarget.checked })}
        />
        {rows.map(([key, label, about]) => (
          <div key={key} className={css.row}>
            <span>
              <span className={css.label} id={`trouble-${key}`}>
                {t(label)}
              </span>
              <span className={css.what}>{t(about)}</span>
            </span>
            <FaultSelect
              fault={key}
              value={now?.[key] ?? 0}
              onChange={(value) => set({ [key]: value })}
            />
          </div>
        ))}
        {count > 0 && (
          <Button mt="sm" size="compact-md" variant="default" onClick={() => set(noFaults)}>
            {t('Turn all off')}
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

/** How often a fault happens, or how late reports arrive. */
function FaultSelect({
  fault,
  value,
  onChange,
}: {
  fault: RatedFault;
  value: number;
  onChange: (value: number) => void;
}) {
  return (
    <Select
      size="xs"
      w={128}
      allowDeselect={false}
      aria-labelledby={`trouble-${fault}`}
      comboboxProps={{ withinPortal: false }}
      data={(fault === 'lateReceiptsMs' ? delays : rates).map(([rate, word]) => ({
        value: rate,
        label: t(word),
      }))}
      value={String(value)}
      onChange={(rate) => rate !== null && onChange(Number(rate))}
    />
  );
}
