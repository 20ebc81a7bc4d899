# julia bindings/julia/test.jl, with CAROM_LIBRARY naming libcarom-io.so
include("Carom.jl")
using Test

@testset "Carom" begin
    ball = Dict("law" => "routh-stronge", "coefficients" => Dict("e" => 0.8, "mu" => 0.3),
        "reduced" => Dict("K" => [3.5 0 0; 0 3.5 0; 0 0 1], "u" => [1, 0, -2]))
    answer = Carom.request("solve"; document = ball)
    @test occursin("\"u_after\"", answer)
    @test occursin("newton", Carom.request("laws"))
    @test_throws Carom.Refused Carom.request("solve"; document = Dict("law" => "newto"))
    @test Carom.json((set = (e = 0.5,),)) == "{\"set\":{\"e\":0.5}}"
    @test Carom.json([1 2; 3 4]) == "[[1,2],[3,4]]"
end
