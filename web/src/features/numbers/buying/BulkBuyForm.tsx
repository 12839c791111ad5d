import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { useForm, type GetInputPropsReturnType } from '@mantine/form';
import { IconPlus, IconX } from '@tabler/icons-react';
import { numbers } from '#contract';
import { areaCodes } from '#contract/area-codes';
import { numberBounds } from '#contract/numbers/rules';
import { bindFieldErrors, toast, NumberInput, t, useApiMutation } from '#ui';
import { addToCart } from './cart.ts';
import css from './BulkBuyForm.module.css';

interface Item {
  areaCode: string;
  count: number;
}
const emptyItem: Item = { areaCode: '', count: 10 };
const categories = () => [
  { value: '4', label: t('Bulk numbers, many at a lower price') },
  { value: '2', label: t('Local numbers') },
];

/** Finds a given count of numbers for each area code and adds them to the cart. */
export function BulkBuyForm({ onFound }: { onFound: (found: numbers.Located[]) => void }) {
  const form = useForm<{ category: string; items: Item[] }>({
    initialValues: { category: '4', items: [emptyItem] },
    validate: {
      items: {
        areaCode: (v) => (areaCodes().has(v) ? null : t('That area code doesn’t exist.')),
        count: (v) => (v >= 1 && v <= 200 ? null : t('Enter 1 to 200.')),
      },
    },
  });
  const { mutate, isPending } = useApiMutation(numbers.locateNumbersInBulk, {
    onFieldErrors: bindFieldErrors(form),
  });
  const find = async (values: typeof form.values): Promise<void> => {
    const response = await mutate({
      body: { items: values.items, category: Number(values.category) as 4 },
    });
    if (!response) return;
    const found = response.data.flatMap((item) => item.found);
    addToCart(found);
    onFound(found);
    for (const { reason } of response.meta.away) toast.warn(reason);
    warnAboutMissing(response.data);
  };
  return (
    <form className={css.form} onSubmit={form.onSubmit((v) => void find(v))} noValidate>
      <Select
        label={t('Category')}
        w={360}
        maw="100%"
        allowDeselect={false}
        data={categories()}
        {...form.getInputProps('category')}
      />
      <ul className={css.items}>
        {form.values.items.map((item, i) => (
          <ItemRow
            key={form.key(`items.${i}`)}
            item={item}
            fieldProps={(field) => form.getInputProps(`items.${i}.${field}`)}
            onRemove={form.values.items.length > 1 ? () => form.removeListItem('items', i) : null}
          />
        ))}
      </ul>
      <div className={css.act}>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => form.insertListItem('items', emptyItem)}
        >
          {t('Add area code')}
        </Button>
        <Button type="submit" loading={isPending}>
          {t('Find numbers')}
        </Button>
      </div>
    </form>
  );
}

/** Warns about area codes with fewer numbers than requested. */
function warnAboutMissing(
  items: readonly { areaCode: string; count: number; missing: number }[],
): void {
  const short = items.filter((item) => item.missing > 0);
  if (short.length)
    toast.warn(t('Some numbers weren’t found'), {
      lines: short.map((item) =>
        t('{areaCode}: {missing} of {count} missing', {
          areaCode: item.areaCode,
          missing: item.missing,
          count: item.count,
        }),
      ),
    });
}

function ItemRow({
  item,
  fieldProps,
  onRemove,
}: {
  item: Item;
  fieldProps: (field: keyof Item) => GetInputPropsReturnType;
  /** Null for the only row, which can't be removed. */
  onRemove: (() => void) | null;
}) {
  return (
    <li className={css.item}>
      <TextInput
        label={t('Area code')}
        w={110}
        inputMode="numeric"
        maxLength={3}
        placeholder="415"
        {...fieldProps('areaCode')}
      />
      <NumberInput
        label={t('How many')}
        w={110}
        min={numberBounds.count[0]}
        max={numberBounds.count[1]}
        clampBehavior="none"
        {...fieldProps('count')}
      />
      <span className={css.place}>
        {areaCodes().get(item.areaCode)?.cities.slice(0, 2).join(', ')}
      </span>
      {onRemove && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={t('Remove area code {code}', { code: item.areaCode })}
          onClick={onRemove}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}
