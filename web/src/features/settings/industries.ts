/** The 23 verticals (A29). */
export const industries = [
  'agriculture', 'communication', 'construction', 'education', 'energy', 'entertainment', 'financial', 'gambling', 'government', 'healthcare', 'hospitality', 'human resources',
  'insurance', 'legal', 'manufacturing', 'NGO', 'political', 'postal', 'professional', 'real estate', 'retail', 'technology', 'transportation',
] as const;
