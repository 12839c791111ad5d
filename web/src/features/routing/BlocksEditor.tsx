import { ActionIcon, Button, Chip, Group, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { schedules } from '#contract';
import { t } from '#ui';
import { RangeSelects } from './RangeSelects.tsx';
import css from './Schedule.module.css';

type Block = schedules.HoursBlock;
const days = [
  ['mon', 'Mon'],
  ['tue', 'Tue'],
  ['wed', 'Wed'],
  ['thu', 'Thu'],
  ['fri', 'Fri'],
  ['sat', 'Sat'],
  ['sun', 'Sun'],
] as const;
const dayNames = (block: Block): string =>
  days
    .filter(([day]) => block.days.includes(day))
    .map(([, label]) => t(label))
    .join(', ');

/** Days with their time ranges. An overlap is shown at its range. */
export function BlocksEditor({
  blocks,
  onChange,
  mayEdit,
}: {
  blocks: Block[];
  onChange: (blocks: Block[]) => void;
  mayEdit: boolean;
}) {
  const twice = schedules.overlapIn(blocks);
  const set = (i: number, block: Block): void =>
    onChange(blocks.map((one, j) => (j === i ? block : one)));
  const setTime = (i: number, block: Block, j: number, range: schedules.TimeRange | null): void => {
    const times = withTime(block.times, j, range);
    if (times.length > 0) set(i, { ...block, times });
    else onChange(blocks.filter((_, k) => k !== i));
  };
  const freeDays = schedules.weekdays.filter(
    (day) => !blocks.some((one) => one.days.includes(day)),
  );
  return (
    <Stack gap="sm">
      {blocks.length === 0 && (
        <p className={css.quiet}>{t('Never open: every caller follows the after-hours route.')}</p>
      )}
      {blocks.map((block, i) => (
        <BlockFields
          key={i}
          block={block}
          mayEdit={mayEdit}
          overlap={twice?.block === i ? twice : null}
          onChange={(next) => set(i, next)}
          onTime={(j, range) => setTime(i, block, j, range)}
        />
      ))}
      {mayEdit && (
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() =>
              onChange([
                ...blocks,
                {
                  days: freeDays.length > 0 ? freeDays.slice(0, 1) : ['sat'],
                  times: [{ start: '09:00', end: '12:00' }],
                },
              ])
            }
          >
            {t('Add other days')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** The ranges with the one at an index changed; null removes it. */
const withTime = (
  times: schedules.TimeRange[],
  index: number,
  range: schedules.TimeRange | null,
): schedules.TimeRange[] =>
  range === null
    ? times.filter((_, k) => k !== index)
    : times.map((one, k) => (k === index ? range : one));

/** The days of a block and their time ranges; `overlap` names the range to show an error at. */
function BlockFields({
  block,
  mayEdit,
  overlap,
  onChange,
  onTime,
}: {
  block: Block;
  mayEdit: boolean;
  overlap: ReturnType<typeof schedules.overlapIn>;
  onChange: (block: Block) => void;
  /** Changes the range at an index; null removes it. */
  onTime: (index: number, range: schedules.TimeRange | null) => void;
}) {
  return (
    <div
      className={css.block}
      role="group"
      aria-label={t('Open on {days}', { days: dayNames(block) })}
    >
      <DayChips block={block} mayEdit={mayEdit} onChange={onChange} />
      {block.times.map((time, j) => (
        <Group key={j} gap="xs" wrap="nowrap" align="flex-start">
          <RangeSelects
            value={time}
            readOnly={!mayEdit}
            of={dayNames(block)}
            onChange={(range) => onTime(j, range)}
            error={
              overlap?.time === j
                ? t('Two time ranges overlap on {day}.', {
                    day: t(schedules.weekdayNames[overlap.day]),
                  })
                : undefined
            }
          />
          {mayEdit && (
            <ActionIcon
              size={36}
              aria-label={t('Remove these times')}
              onClick={() => onTime(j, null)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
          {mayEdit && j === block.times.length - 1 && (
            <ActionIcon
              size={36}
              aria-label={t('Add hours on these days')}
              onClick={() => onChange({ ...block, times: [...block.times, after(time)] })}
            >
              <IconPlus size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
    </div>
  );
}

/** The days of a block; at least one stays chosen. */
function DayChips({
  block,
  mayEdit,
  onChange,
}: {
  block: Block;
  mayEdit: boolean;
  onChange: (block: Block) => void;
}) {
  return (
    <Chip.Group
      multiple
      value={block.days}
      onChange={(chosen) =>
        chosen.length > 0 &&
        onChange({
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
  );
}

/** A range starting an hour after the last one ends, if the day has room for it. */
function after({ end }: schedules.TimeRange): schedules.TimeRange {
  const from = Math.min(Number(end.slice(0, 2)) + 1, 22);
  const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
  return { start: clock(from), end: from + 2 > 23 ? '24:00' : clock(from + 2) };
}
