import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPlus, IconX } from '@tabler/icons-react';
import { numbers } from '#contract';
import { areaCodes } from '#contract/area-codes';
import { bindFieldErrors, toast, NumberInput, t, useApiMutation } from '#ui';
import { addToCart } from './cart.ts';
import css from './BulkBuyForm.module.css';

interface Item {
  areaCode: string;
  count: number;
}
/** Finds a given count of numbers for each area code and adds them to the cart. */
export function BulkBuyForm({ onFound }: { onFound: (found: numbers.Located[]) => void }) {
  const form = useForm<{ category: string; items: Item[] }>({
    initialValues: { category: '4', items: [{ areaCode: '', count: 10 }] },
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
    const short = response.data.filter((item) => item.missing > 0);
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
  };
  return (
    <form className={css.form} onSubmit={form.onSubmit((v) => void find(v))} noValidate>
      <Select
        label={t('Category')}
        w={360}
        maw="100%"
        allowDeselect={false}
        data={[
          { value: '4', label: t('Bulk numbers, many at a lower price') },
          { value: '2', label: t('Local numbers') },
        ]}
        {...form.getInputProps('category')}
      />
      <ul className={css.items}>
        {form.values.items.map((item, i) => (
          <li key={form.key(`items.${i}`)} className={css.item}>
            <TextInput
              label={t('Area code')}
              w={110}
              inputMode="numeric"
              maxLength={3}
              placeholder="415"
              {...form.getInputProps(`items.${i}.areaCode`)}
            />
            <NumberInput
              label={t('How many')}
              w={110}
              min={1}
              max={200}
              clampBehavior="none"
              {...form.getInputProps(`items.${i}.count`)}
            />
            <span className={css.place}>
              {areaCodes().get(item.areaCode)?.cities.slice(0, 2).join(', ')}
            </span>
            {form.values.items.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={t('Remove area code {code}', { code: item.areaCode })}
                onClick={() => form.removeListItem('items', i)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      <div className={css.act}>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => form.insertListItem('items', { areaCode: '', count: 10 })}
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
