import type { ReactNode } from 'react';
import { useForm, type GetInputPropsReturnType } from '@mantine/form';
import {
  missingBrandFields,
  missingCampaignFields,
  type BrandFacts,
  type CampaignFacts,
} from '#contract/compliance/registration/rules';
import type { RegistrationView } from './labels.ts';

/** An opt-in method without any entry. */
export const emptyOptIn: RegistrationView['campaign']['optins'][number] = {
  type: null,
  description: '',
  url: '',
  keywords: [],
  supporting_files: [],
};

/**
 * Form values of a registration. Unset texts become empty strings, so that every field is
 * controlled.
 */
export function toFormValues(v: RegistrationView) {
  const {
    id: _,
    is_draft: __,
    status: ___,
    score: ____,
    rejection: _____,
    address,
    contact,
    ...brand
  } = v.brand;
  const {
    id: ______,
    brand_id: _______,
    numbers,
    optins,
    sample_messages,
    ...campaign
  } = v.campaign;
  return {
    brand: {
      ...brand,
      address: { line1: '', line2: '', city: '', state: '', zip: '', country: 'US', ...address },
      contact: { first_name: '', last_name: '', title: '', email: '', phone: '', ...contact },
    },
    campaign: {
      ...campaign,
      sample_messages: sample_messages.length ? sample_messages : ['', ''],
      numbers: numbers.map((n) => n.id),
      optins: optins.length ? optins : [emptyOptIn],
    },
  };
}
export type RegistrationValues = ReturnType<typeof toFormValues>;
/**
 * The part of the form that the steps use. The library's own type lists every path of these values,
 * which takes the type checker minutes.
 */
export interface RegistrationForm {
  values: RegistrationValues;
  errors: Record<string, ReactNode>;
  getInputProps(path: string, options?: { type?: 'input' | 'checkbox' }): GetInputPropsReturnType;
  setFieldValue(path: string, value: unknown): void;
  insertListItem(path: string, item: unknown): void;
  removeListItem(path: string, index: number): void;
  getValues(): RegistrationValues;
  getInputNode(path: string): HTMLElement | null;
  setErrors(errors: Record<string, string>): void;
  setValues(values: RegistrationValues): void;
  setInitialValues(values: RegistrationValues): void;
  resetDirty(values?: RegistrationValues): void;
  reset(): void;
  isDirty(): boolean;
}
/** The form of a registration, filled in with what is saved. */
export const useRegistrationForm = (v: RegistrationView): RegistrationForm =>
  useForm<Record<string, unknown>>({
    initialValues: toFormValues(v),
  }) as unknown as RegistrationForm;

/** False for an opt-in method without any entry, which isn't sent. */
const isOptInFilled = (o: RegistrationValues['campaign']['optins'][number]): boolean =>
  Boolean(
    o.type ||
    o.description.trim() ||
    o.url.trim() ||
    o.keywords.length ||
    o.supporting_files.length,
  );

/**
 * The request body of a draft. Without `withBrand` the brand is left out, because the registry has
 * it already.
 */
export function toRequestBody({ brand, campaign }: RegistrationValues, withBrand: boolean) {
  return {
    ...(withBrand ? { brand } : {}),
    campaign: {
      ...campaign,
      sample_messages: campaign.sample_messages.filter((s) => s.trim()),
      optins: campaign.optins
        .filter(isOptInFilled)
        .map((o) => ({ ...o, supporting_files: o.supporting_files.map((f) => ({ id: f.id })) })),
    },
    is_draft: true,
  };
}

/** Sentences about missing fields, by path of the form field. */
export function missingFields({ brand, campaign }: RegistrationValues): Record<string, string> {
  const facts: CampaignFacts = {
    ...campaign,
    optins: campaign.optins
      .filter(isOptInFilled)
      .map((o) => ({ ...o, files: o.supporting_files.length })),
  };
  const withPrefix = (prefix: string, gaps: Record<string, string>) =>
    Object.entries(gaps).map(([field, text]) => [`${prefix}.${field}`, text]);
  return Object.fromEntries([
    ...withPrefix('brand', missingBrandFields(brand as BrandFacts)),
    ...withPrefix('campaign', missingCampaignFields(facts)),
  ]) as Record<string, string>;
}

export const steps = ['brand', 'campaign', 'opt-in', 'samples', 'numbers', 'review'] as const;
export type Step = (typeof steps)[number];
/** The step that holds a field, so that its error can be shown there. */
export function stepOfField(field: string): Step {
  if (field.startsWith('brand.')) return 'brand';
  if (field.startsWith('campaign.optins')) return 'opt-in';
  if (/^campaign\.(sample_messages|opt_in_message|opt_out_message|help_message)/.test(field))
    return 'samples';
  return field.startsWith('campaign.numbers') ? 'numbers' : 'campaign';
}
