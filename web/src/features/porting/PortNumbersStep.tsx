import { useState } from 'react';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { porting, type Answer } from '#contract';
import { StatusBadge, t, useApiMutation } from '#ui';
import { portTypeName } from './labels.ts';
import css from './ports.module.css';
import rows from '../../shared/Rows.module.css';

export const numbersIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,;]+/)
      .map((one) => one.trim())
      .filter(Boolean),
  ),
];
type PortabilityResult = Answer<typeof porting.checkPortability>['data'];

/** Numbers step of the porting wizard: the numbers, with a portability check. */
export function PortNumbersStep({
  text,
  setText,
  error,
  setError,
}: {
  text: string;
  setText: (text: string) => void;
  error: string | null;
  setError: (error: string | null) => void;
}) {
  const [checked, setChecked] = useState<PortabilityResult | null>(null);
  const { mutate, isPending } = useApiMutation(porting.checkPortability, {
    onFieldErrors: (error) => {
      const first = Object.entries(error.fields).find(([field]) => field.startsWith('numbers'));
      if (first) setError(first[1]);
      return first ? Object.keys(error.fields) : [];
    },
  });
  const check = async (): Promise<void> => {
    setError(null);
    setChecked(null);
    const numbers = numbersIn(text);
    if (numbers.length === 0) return setError(t('Add at least one number.'));
    const response = await mutate({ body: { numbers } });
    if (response) setChecked(response.data);
  };
  return (
    <Stack gap="sm">
      <Textarea
        label={t('Numbers to port')}
        description={t(
          'One per line. Submit local, toll-free and Canadian numbers in separate requests.',
        )}
        placeholder={'(212) 555-2368\n(212) 555-2369'}
        autosize
        minRows={3}
        maxRows={10}
        value={text}
        error={error}
        onChange={(e) => {
          setText(e.currentTarget.value);
          setChecked(null);
          setError(null);
        }}
      />
      <Group>
        <Button variant="default" loading={isPending} onClick={() => void check()}>
          {t('Check numbers')}
        </Button>
      </Group>
      {checked && <Portability checked={checked} />}
    </Stack>
  );
}

function Portability({ checked }: { checked: PortabilityResult }) {
  return (
    <div role="status">
      <ul className={rows.rows} aria-label={t('Portability')}>
        {checked.numbers.map((n) => (
          <li key={n.number}>
            <span className={`${rows.grow} tabular`}>{n.formatted}</span>
            <span className={rows.quiet}>
              {portTypeName(n.type)}
              {n.losing_carrier ? `, ${n.losing_carrier}` : ''}
            </span>
            {n.portable ? (
              <StatusBadge tone="success">{t('Can be ported')}</StatusBadge>
            ) : (
              <StatusBadge tone="danger">{t('Can’t be ported')}</StatusBadge>
            )}
            {n.sentence && <span className={css.why}>{n.sentence}</span>}
          </li>
        ))}
      </ul>
      {checked.mixed ? (
        <Text c="red" mt="xs">
          {t(
            'Local, toll-free and Canadian numbers need separate requests. Keep one type in this one.',
          )}
        </Text>
      ) : (
        <Text c="dimmed" mt="xs">
          {t('The earliest possible date is {day}.', { day: checked.earliest_date })}
        </Text>
      )}
    </div>
  );
}
