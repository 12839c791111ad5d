import { z } from 'zod';
import { job } from '../../platform/jobs.ts';
import { fileCampaign, moveTexts } from './file-campaign.ts';
import { tellCampaign } from './tell.ts';

const ofCampaign = z.object({ companyId: z.number(), campaignId: z.number() });

export const jobs = [
  job('campaigns.tellCampaign', ofCampaign, tellCampaign),
  job('campaigns.fileTexts', ofCampaign, fileCampaign),
  job('campaigns.moveTexts', ofCampaign.extend({ ids: z.array(z.number()) }), moveTexts),
];
