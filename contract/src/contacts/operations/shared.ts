import { emailAddress } from '../../email-address.ts';
import { z } from 'zod';
import { id } from '../../schemas.ts';
import { normalizePhone } from '../../phone.ts';
import { ageRanges, contactTypes, genders, optinTypes, visibleText } from '../rules.ts';

export const ofContact = { table: 'contact', param: 'contactId' };

export const contactId = z.object({ contactId: id });

/** Text of at most `max` characters, stripped of invisible ones. */
export const short = (max: number) =>
  z.string().overwrite(visibleText).max(max, `At most ${max} characters.`);

export const email = emailAddress;

/** A phone number as people type it; stored as E.164. */
export const phoneNumber = z
  .string()
  .max(200, 'Enter a phone number.')
  .refine((text) => normalizePhone(text) !== null, 'Enter a phone number.');

export const details = {
  name: short(120).optional(),
  companyName: short(120).optional(),
  title: short(120).optional(),
  email: z.union([z.literal(''), email]).optional(),
  address1: short(200).optional(),
  address2: short(200).optional(),
  city: short(120).optional(),
  state: short(60).optional(),
  zip: short(20).optional(),
  country: short(60).optional(),
  notes: short(5000).optional(),
  optinType: z.enum(optinTypes).nullable().optional(),
  optinSource: short(300).optional(),
  alternativeNames: z.array(short(120)).max(20).optional(),
  secondaryEmails: z.array(email).max(20).optional(),
  otherNumbers: z.array(phoneNumber).max(20, 'At most 20 other numbers.').optional().meta({
    description: 'Further numbers of the person, who’s found by each of them',
  }),
  gender: z.enum(genders).nullable().optional(),
  ageRange: z
    .string()
    .refine((v) => ageRanges.includes(v), 'Choose an age range.')
    .nullable()
    .optional(),
  type: z.enum(contactTypes).optional(),
  carrier: short(80).nullable().optional(),
  groups: z.array(id).max(100).optional().meta({
    description: 'The groups it belongs to after the update; virtual groups follow their rule',
  }),
  labels: z.array(id).max(100).optional(),
  eavAttributeValues: z
    .array(
      z.looseObject({
        attribute_id: id.optional(),
        key: z.string().max(60).optional(),
        value: z.unknown(),
      }),
    )
    .max(200)
    .optional(),
};
