import {
  Button,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { marketplace } from '#contract';
import { bindFieldErrors, Section, t, useApiMutation, useUnsavedGuard } from '#ui';
import { dollarsToCents, centsToDollars, tierName } from './labels.ts';

type Item = marketplace.MarketplaceDetail;
const valuesOf = (i: Item) => ({
  vanity_text: i.vanity_text ?? '',
  words: i.words,
  tier: i.tier as string,
  channel: i.channel as string,
  partner_name: i.partner_name ?? '',
  type: i.pricing.type as string,
  monthly: centsToDollars(i.pricing.monthly_cents),
  setup: centsToDollars(i.pricing.setup_cents),
  term: String(i.pricing.minimum_term_months),
  least: centsToDollars(i.pricing.minimum_offer_cents),
  states: i.exclusive_area.states,
  area_codes: i.exclusive_area.area_codes,
  industries: i.industries,
  description: i.description,
  seo_slug: i.seo_slug ?? '',
  featured: i.featured,
  contact_email: i.contact_email ?? '',
  legal_notice: i.legal_notice,
  notes: i.notes,
});
const names = {
  'pricing.monthly_cents': 'monthly',
  'pricing.setup_cents': 'setup',
  'pricing.minimum_term_months': 'term',
  'pricing.minimum_offer_cents': 'least',
  'exclusive_area.states': 'states',
  'exclusive_area.area_codes': 'area_codes',
};

/**
 * Price and texts of a marketplace number. Texts about toll-free numbers speak of lease and
 * service, never of a sale; the server enforces that.
 */
export function ItemForm({ item }: { item: Item }) {
  const amount = (v: string) => (dollarsToCents(v) === null ? t('Enter an amount.') : null);
  const form = useForm({
    initialValues: valuesOf(item),
    validate: {
      monthly: amount,
      setup: amount,
      least: (v) => (v.trim() ? amount(v) : null),
      term: (v) => (/^\d{1,3}$/.test(v) ? null : t('Enter a number of months.')),
    },
  });
  useUnsavedGuard(form.isDirty());
  const { mutate, isPending } = useApiMutation(marketplace.updateMarketplaceNumber, {
    onFieldErrors: bindFieldErrors(form, names),
    invalidates: [
      marketplace.getMarketplaceNumber,
      marketplace.listMarketplaceNumbers,
      marketplace.marketplaceKpi,
    ],
    success: t('Marketplace number updated'),
    onSuccess: () => form.resetDirty(),
  });
  const save = form.onSubmit(
    (v) =>
      void mutate({
        params: { id: item.id },
        body: {
          vanity_text: v.vanity_text || null,
          words: v.words,
          tier: v.tier as 'standard',
          channel: v.channel as 'own',
          partner_name: v.partner_name || null,
          industries: v.industries,
          description: v.description,
          seo_slug: v.seo_slug || null,
          featured: v.featured,
          contact_email: v.contact_email || null,
          legal_notice: v.legal_notice,
          notes: v.notes,
          exclusive_area: {
            states: v.states.map((s) => s.toUpperCase()),
            area_codes: v.area_codes,
          },
          ...(item.status === 'reserved'
            ? {}
            : {
                pricing: {
                  type: v.type as 'lease',
                  monthly_cents: dollarsToCents(v.monthly)!,
                  setup_cents: dollarsToCents(v.setup)!,
                  minimum_term_months: Number(v.term),
                  minimum_offer_cents: v.least.trim() ? dollarsToCents(v.least) : null,
                },
              }),
        },
      }),
  );
  const at = (field: string) => form.getInputProps(field);
  return (
    <form onSubmit={save} noValidate>
      <Section
        title={t('Price')}
        about={
          item.status === 'reserved'
            ? t('Someone is checking out. The price can’t change until they’re done.')
            : marketplace.termsOf(form.values.type as 'lease')
        }
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select
            label={t('Offer type')}
            allowDeselect={false}
            disabled={item.status === 'reserved'}
            data={[
              { value: 'lease', label: t('Lease') },
              { value: 'assignment', label: t('Assignment of service') },
              { value: 'make_offer', label: t('Make an offer') },
            ]}
            {...at('type')}
          />
          <TextInput
            label={t('US dollars per month')}
            inputMode="decimal"
            disabled={item.status === 'reserved'}
            {...at('monthly')}
          />
          <TextInput
            label={t('Setup fee, US dollars')}
            inputMode="decimal"
            disabled={item.status === 'reserved'}
            {...at('setup')}
          />
          <TextInput
            label={t('Minimum term, months')}
            inputMode="numeric"
            disabled={item.status === 'reserved'}
            {...at('term')}
          />
          <TextInput
            label={t('Minimum offer, US dollars per month')}
            description={t('Not shown to buyers.')}
            inputMode="decimal"
            disabled={item.status === 'reserved'}
            {...at('least')}
          />
        </SimpleGrid>
      </Section>
      <Section title={t('Public description')}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput label={t('What it spells')} {...at('vanity_text')} />
            <TagsInput label={t('Words')} {...at('words')} />
            <Select
              label={t('Tier')}
              allowDeselect={false}
              data={marketplace.marketplaceTiers.map((x) => ({ value: x, label: tierName(x) }))}
              {...at('tier')}
            />
            <TagsInput label={t('Industries')} {...at('industries')} />
            <TagsInput label={t('Exclusive in these states')} placeholder="NY" {...at('states')} />
            <TagsInput
              label={t('Exclusive in these area codes')}
              placeholder="212"
              {...at('area_codes')}
            />
          </SimpleGrid>
          <Textarea label={t('Description')} autosize minRows={3} {...at('description')} />
          <Textarea
            label={t('Legal notice')}
            description={
              item.category === 'toll_free'
                ? t(
                    'Toll-free numbers are a public resource: their service is leased or assigned, the number is never sold.',
                  )
                : undefined
            }
            autosize
            minRows={2}
            {...at('legal_notice')}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput
              label={t('Web address')}
              description={t('Lowercase letters, digits and dashes.')}
              {...at('seo_slug')}
            />
            <TextInput label={t('Send questions to')} type="email" {...at('contact_email')} />
          </SimpleGrid>
          <Switch label={t('Featured')} {...form.getInputProps('featured', { type: 'checkbox' })} />
        </Stack>
      </Section>
      <Section title={t('Internal details')}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <Select
              label={t('Channel')}
              allowDeselect={false}
              data={[
                { value: 'own', label: t('Own') },
                { value: 'partner', label: t('Partner') },
                { value: 'listing_site', label: t('Listing site') },
              ]}
              {...at('channel')}
            />
            {form.values.channel !== 'own' && (
              <TextInput label={t('Which partner or site')} {...at('partner_name')} />
            )}
          </SimpleGrid>
          <Textarea label={t('Notes')} autosize minRows={2} {...at('notes')} />
        </Stack>
      </Section>
      <Group mt="md">
        <Button type="submit" loading={isPending} disabled={!form.isDirty()}>
          {t('Save')}
        </Button>
      </Group>
    </form>
  );
}
