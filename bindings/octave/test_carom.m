% What Octave gets is what the program prints: run by tests/octave/run.sh, with the case of a ball in ball.json.
ball = struct ("law", "routh-stronge", "coefficients", struct ("e", 0.8, "mu", 0.3), ...
               "reduced", struct ("K", [3.5 0 0; 0 3.5 0; 0 0 1], "u", [1 0 -2]));
answer = carom ("solve", ball);
assert (answer.u_after(3), 1.6, 1e-15);            % e times the approach
assert (norm (answer.p(1:2)) <= 0.3 * answer.p(3) * (1 + 1e-15)); % inside the cone
assert (answer.u_after(:), [1; 0; -2] + ball.reduced.K * answer.p(:), 1e-15);

file = carom ("solve", fileread ("ball.json"));
printf ("%.17g %.17g %.17g\n", file.p);

laws = carom ("laws");
assert (numel (laws) >= 27);
options = carom ("compare", ball, struct ("set", struct ("e", 0.5)));
assert (! isempty (options));

refused = false;
try
  carom ("solve", struct ("law", "newto", "reduced", ball.reduced));
catch err
  refused = ! isempty (strfind (err.message, "law")); % the key that is to blame
end
assert (refused);
disp ("Octave: 6 passed, 0 failed");
