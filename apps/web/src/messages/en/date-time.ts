export const dateTime = {
  day: 'Date',
  time: 'Time',
  zone: 'Time zone: {zone}',
  skipped: 'The clock skips this time on that day. {time} is used.',
  repeated: 'The clock shows this time twice on that day. Which one?',
  first: 'The first, {time}',
  second: 'The second, {time}',
  calendar: {
    previousMonth: 'Previous month',
    nextMonth: 'Next month',
    previousYear: 'Previous year',
    nextYear: 'Next year',
    previousDecade: 'Previous ten years',
    nextDecade: 'Next ten years',
  },
  problem: {
    incomplete: 'Enter a date and a time.',
    inPast: 'Choose a time in the future.',
    tooFar: 'Choose a time within the next year.',
  },
};
