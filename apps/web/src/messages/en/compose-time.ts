export const composeTime = {
  when: 'When',
  now: 'Now',
  later: 'Later',
  at: 'Date and time',
  suggestions: 'Suggested times',
  suggested: {
    today: 'Today {time}',
    evening: 'Tonight {time}',
    tomorrow: 'Tomorrow {time}',
    later: '{date}, {time}',
  },
};
