import { z } from 'zod';
import { operation } from '../../operation.ts';
import { id, one } from '../../schemas.ts';

const color = z
  .string()
  .regex(/^(#[0-9a-fA-F]{6})?$/, 'Enter a color like #0F766E.')
  .nullable()
  .optional()
  .meta({ description: 'Empty: the product’s own' });
const body = z.object({
  primary_color: color,
  secondary_color: color,
  remove: z
    .array(z.enum(['logo', 'logo_dark', 'favicon']))
    .max(3)
    .optional()
    .meta({ description: 'Pictures to take away' }),
});
const text = z.string().nullable();
const branding = z.object({
  logo: text,
  logo_dark: text.meta({ description: 'On dark backgrounds; null: `logo` there as well' }),
  favicon: text,
  primary_color: text,
  secondary_color: text,
  contrast_warnings: z.array(z.string()),
});
const example = {
  params: { id: 7300412 },
  body: { primary_color: '#0F766E' },
  answer: {
    data: {
      logo: null,
      logo_dark: null,
      favicon: null,
      primary_color: '#0F766E',
      secondary_color: null,
      contrast_warnings: [],
    },
  },
};
const errors = ['branding.file_large', 'branding.not_a_picture'] as const;
const about =
  '`logo`, `logo_dark` and `favicon` take PNG, JPEG or SVG files up to 1 MB. Each becomes a PNG, so nothing of an SVG runs';

export const setCompanyBranding = operation({
  summary: `Set the look of a company. ${about}`,
  params: z.object({ id }),
  body,
  answer: one(branding),
  errors,
  example,
});

export const setOrganizationBranding = operation({
  summary: `Set the look of an organization, which its custom domain shows. ${about}`,
  params: z.object({ id }),
  body,
  answer: one(branding),
  errors,
  example: { ...example, params: { id: 12 } },
});

export const getBrandingPicture = operation({
  summary: 'Get a picture of a brand. Its address changes with it, so it can be kept for good',
  params: z.object({ token: z.string().regex(/^[\w-]{10,80}$/) }),
  answer: z.unknown(),
  binary: true,
  limit: 'none',
  errors: ['not_found'],
  example: { params: { token: 'brand_k3JmX0a9' } },
});
