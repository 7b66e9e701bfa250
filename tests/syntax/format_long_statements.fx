// run: fusec fmt -
fn f(x: f32[N]) -> (y: f32[N]) {
a = where(iota(S)[:, None] >= iota(S), first_operand + second_operand, -inf) * softmax(s2, axis = -1);
b = some_function(first_argument_number_one, second_argument_number_two, third_argument, x[a - 1], y);
c = first_condition_of_them && second_condition_of_them || third_condition_of_them + fourth * fifth_one;
d = a_name_that_is_very_long_and_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on;
e = 1 + 2
    + 3;
}
const g = [1000000, 2000000, 3000000, 4000000, 5000000, 6000000, 7000000, 8000000, 9000000, 10000000, 11000000];
// ---- expect
// // run: fusec fmt -
// fn f(x: f32[N]) -> (y: f32[N]) {
//     a = where(iota(S)[:, None] >= iota(S), first_operand + second_operand, -inf)
//         * softmax(s2, axis = -1);
//     b = some_function(first_argument_number_one, second_argument_number_two, third_argument, x[a-1],
//         y);
//     c = first_condition_of_them && second_condition_of_them
//         || third_condition_of_them + fourth * fifth_one;
//     d =
//         a_name_that_is_very_long_and_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on;
//     e = 1 + 2 + 3;
// }
// const g = [1000000, 2000000, 3000000, 4000000, 5000000, 6000000, 7000000, 8000000, 9000000,
//     10000000, 11000000];
