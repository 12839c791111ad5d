import type { tracking } from '#contract';
import { t } from '#ui';

type Model = tracking.AttributionModel;

/** A model's name, for choices. */
export const modelName = (model: Model): string =>
  ({
    first_touch: t('First touch'),
    last_touch: t('Last touch'),
    last_non_direct: t('Last non-direct touch'),
    lead_creation: t('Lead creation'),
    first_and_lead: t('First touch and lead creation'),
    linear: t('Linear'),
    position_based: t('Position-based'),
    time_decay: t('Time decay'),
    w_shaped: t('W-shaped'),
  })[model];

/** What a model does, in a sentence. */
export const modelSentence = (model: Model): string =>
  ({
    first_touch: t('All credit goes to the first visit.'),
    last_touch: t('All credit goes to the last visit before the call, even a direct one.'),
    last_non_direct: t('All credit goes to the last visit that came from somewhere.'),
    lead_creation: t('All credit goes to the visit that led to this person’s first call or text.'),
    first_and_lead: t(
      'Half goes to the first visit, half to the one that led to the first call or text.',
    ),
    linear: t('Every visit gets the same.'),
    position_based: t('The first and the last visit get 40% each. Those between share 20%.'),
    time_decay: t('Newer visits get more: each week before the call halves the credit.'),
    w_shaped: t(
      'First visit, first call or text, and first qualified call get 30% each. Others share 10%.',
    ),
  })[model];

/** Why another model had to step in, in a sentence. */
export const fallbackSentence = (why: tracking.CreditFallback): string =>
  ({
    lead_unknown: t('No visit led to the first call or text, so other visits get its credit.'),
    qualified_unknown: t('No call of this person is qualified yet, so credit is position-based.'),
  })[why];

/** All models as options. */
export const modelOptions = (models: readonly Model[]) =>
  models.map((value) => ({ value, label: modelName(value) }));
