import { branding as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { sendPicture, setCompanyBranding, setOrganizationBranding } from './set-branding.ts';

export const routes = defineRoutes(contract, {
  setCompanyBranding: withoutTransaction((ctx, { body }, http) =>
    setCompanyBranding(ctx, body, http),
  ),
  setOrganizationBranding: withoutTransaction((ctx, { body }, http) =>
    setOrganizationBranding(ctx, body, http),
  ),
  getBrandingPicture: withoutTransaction((ctx, { params }, http) =>
    sendPicture(ctx, params.token, http),
  ),
});
