import { useRef } from 'react';
import { ActionIcon, Button, Chip, Group, Select, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { routing } from '#contract';
import { t } from '#ui';
import { zoneOptions } from '../settings/index.ts';
import { ExceptionsEditor } from './ExceptionsEditor.tsx';
import css from './RouteEditor.module.css';

type Hours = routing.HoursShape;
type Block = Hours['blocks'][number];

const days = [
  ['mon', 'Mon'],
  ['tue', 'Tue'],
  ['wed', 'Wed'],
  ['thu', 'Thu'],
  ['fri', 'Fri'],
  ['sat', 'Sat'],
  ['sun', 'Sun'],
] as const;
const start: Hours = { preset: 1, timezone: null, blocks: [], exceptions: [], voicemail: false };
const nineToFive: Block = {
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  times: [{ start: '09:00', end: '17:00' }],
};
const slots = routing.timeSlots.flatMap((one) =>
  one.value === null || one.value.includes('–') ? [] : [{ value: one.value, label: one.label }],
);
const ends = [...slots.slice(1), { value: '24:00', label: 'midnight' }];

interface HoursFieldProps {
  value: Hours | null;
  onChange: (hours: Hours | null) => void;
  mayEdit: boolean;
  error?: React.ReactNode;
}

/** When a route is open: a preset, or own times day by day. */
export function HoursField({ value, onChange, mayEdit, error }: HoursFieldProps) {
  const hours = value ?? start;
  // A removed day may be put back after other changes: they stay.
  const latest = useRef(hours);
  latest.current = hours;
  const pick = (preset: Hours['preset']): void =>
    onChange({
      ...hours,
      preset,
      blocks: preset === 4 && hours.blocks.length === 0 ? [nineToFive] : hours.blocks,
    });
  const setBlock = (i: number, block: Block): void =>
    onChange({ ...hours, blocks: hours.blocks.map((one, j) => (j === i ? block : one)) });
  const field = { readOnly: !mayEdit };
  return (
    <Stack gap="sm">
      <div className={css.fields}>
        <Select
          label={t('Open')}
          data={routing.schedulePresets.map((one) => ({
            value: String(one.id),
            label: t(one.label),
          }))}
          allowDeselect={false}
          {...field}
          value={String(hours.preset)}
          error={error}
          onChange={(preset) => pick(Number(preset ?? 1) as Hours['preset'])}
        />
        {(hours.preset === 2 || hours.preset === 3 || hours.preset === 4) && (
          <Select
            label={t('Time zone')}
            placeholder={t('Company hours')}
            data={zoneOptions()}
            searchable
            clearable={mayEdit}
            clearButtonProps={{ 'aria-label': t('Clear') }}
            limit={80}
            {...field}
            value={hours.timezone}
            onChange={(timezone) => onChange({ ...hours, timezone })}
          />
        )}
      </div>
      {hours.preset === 4 &&
        hours.blocks.map((block, i) => (
          <div key={i} className={css.block} role="group" aria-label={t('Hours {n}', { n: i + 1 })}>
            <Chip.Group
              multiple
              value={block.days}
              onChange={(chosen) =>
                setBlock(i, {
                  ...block,
                  days: days.flatMap(([day]) => (chosen.includes(day) ? [day] : [])),
                })
              }
            >
              <Group gap={4}>
                {days.map(([day, label]) => (
                  <Chip key={day} value={day} size="xs" disabled={!mayEdit}>
                    {t(label)}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
            {block.times.map((time, j) => (
              <Group key={j} gap="xs" wrap="nowrap">
                <Select
                  aria-label={t('Opens at')}
                  data={slots}
                  w={120}
                  allowDeselect={false}
                  {...field}
                  value={time.start}
                  onChange={(opens) =>
                    setBlock(i, {
                      ...block,
                      times: block.times.map((one, k) =>
                        k === j ? { ...one, start: opens ?? one.start } : one,
                      ),
                    })
                  }
                />
                <span aria-hidden>–</span>
                <Select
                  aria-label={t('Closes at')}
                  data={ends}
                  w={120}
                  allowDeselect={false}
                  {...field}
                  value={time.end}
                  onChange={(closes) =>
                    setBlock(i, {
                      ...block,
                      times: block.times.map((one, k) =>
                        k === j ? { ...one, end: closes ?? one.end } : one,
                      ),
                    })
                  }
                />
                {mayEdit && (
                  <ActionIcon
                    aria-label={t('Remove these times')}
                    onClick={() =>
                      onChange({
                        ...hours,
                        blocks:
                          block.times.length > 1
                            ? hours.blocks.map((one, k) =>
                                k === i
                                  ? { ...one, times: one.times.filter((_, n) => n !== j) }
                                  : one,
                              )
                            : hours.blocks.filter((_, k) => k !== i),
                      })
                    }
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                )}
                {mayEdit && j === block.times.length - 1 && (
                  <ActionIcon
                    aria-label={t('Add hours on these days')}
                    onClick={() =>
                      setBlock(i, {
                        ...block,
                        times: [...block.times, { start: '18:00', end: '20:00' }],
                      })
                    }
                  >
                    <IconPlus size={16} />
                  </ActionIcon>
                )}
              </Group>
            ))}
          </div>
        ))}
      {hours.preset === 4 && mayEdit && (
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() =>
              onChange({
                ...hours,
                blocks: [
                  ...hours.blocks,
                  { days: ['sat'], times: [{ start: '09:00', end: '12:00' }] },
                ],
              })
            }
          >
            {t('Add other days')}
          </Button>
        </Group>
      )}
      {(hours.preset === 2 || hours.preset === 3 || hours.preset === 4) && (
        <div role="group" aria-label={t('Special dates here')}>
          <Text fz="sm" fw={500} mb={4}>
            {t('Special dates here')}
          </Text>
          <ExceptionsEditor
            exceptions={hours.exceptions}
            mayEdit={mayEdit}
            onChange={(next) =>
              onChange({
                ...latest.current,
                exceptions: typeof next === 'function' ? next(latest.current.exceptions) : next,
              })
            }
          />
        </div>
      )}
    </Stack>
  );
}
